// The token of the code is in the address's fragment; it goes into the form, and out of the address.
const form = document.forms[0], token = location.hash.slice(1);
if (token) {
  form.token.value = token;
  form.hidden = false;
  document.getElementById("typed").hidden = true;
  history.replaceState(null, "", location.pathname);
}
