"""Images and audio clips."""
