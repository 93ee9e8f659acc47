"""Audio clips: played, drawn as waveform and spectrogram, compared."""
