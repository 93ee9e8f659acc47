"""What the analyses return and the routes send as JSON: one module for each part of the page."""
