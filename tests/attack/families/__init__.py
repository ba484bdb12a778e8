"""The families of attack: each module makes the attempts of one or a few of them."""
