"""Which elements nobody sees (winnow.document.visibility.hidden_elements)."""
