"""The proxy, in five words.

- A **head** (``access.request_head``, ``http.messages``): a start line and its fields.
- A **route** (``decisions.routing``) says where a request goes: forwarded, tunnelled, intercepted,
  answered by an own page, redirected, reflected or refused.
- A **plan** (``decisions.plan``) is all that is decided of a request before anything is fetched.
- A **decision** (``decisions.eligibility``) says whether a response is a page to extract.
- A **transaction** (``forwarding.transaction``) is one request fetched, and its response sent.
"""
