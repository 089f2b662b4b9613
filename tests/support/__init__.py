"""What the end-to-end tests and the bars share: starting servers, talking to them, waiting for them."""
