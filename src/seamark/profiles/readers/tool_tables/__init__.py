"""Tables of TensorFlow's profiler (`overview_page.pb` …), one module for each file: used where no trace was stored."""
