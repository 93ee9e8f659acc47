"""Clips that runs logged: heard, seen as waveform and spectrogram, compared."""
