"""The Projector tab."""
