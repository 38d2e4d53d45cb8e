"""Reviews as one HTML page: the drawing of a connection's way, the chart, and what the templates show."""
