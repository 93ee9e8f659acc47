"""The parts of the benchmark, and how each measures, as text for the report."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Part:
    """A group of measurements."""

    name: str
    title: str
    method: str
    peer: str = "TensorBoard"


SERVER = Part(
    "server",
    "Starting and answering",
    """\
Every measurement starts a fresh process, both viewers in turn, with the event files in the page cache.
*Answerable* means, over HTTP and for both alike: the last step of the last tag is given out for each of up to
20 runs spread over the log directory, and all scalar tags of all runs are listed. Memory is the sum of the peak
resident sets (VmHWM) of the process tree when all is answerable. TensorBoard keeps 1,000 points of a series;
Seamark keeps all. A cold start of Seamark has an empty index directory; TensorBoard has no index, so its second
start is its first. Over HTTP, one series means 1,000 sampled points from TensorBoard and 2,000 pixel columns
from Seamark.""",
)
BROWSER = Part(
    "browser",
    "In the browser",
    """\
The same headless Chromium without a GPU for both, 1440 × 900, a fresh one for each page, and servers that have
read everything. Times begin with the navigation. A chart is *drawn* when its canvas has ink; *all visible cards*
when every card on the screen has, and none came or went for 1.5 s after that. Where TensorBoard draws nothing,
its page counts as done at the end of its last long task (no other for 3 s). The heap is that of the page's own
thread after a collection, with the buffers it holds; the process has the workers, too. A frame is the time
between two animation frames.""",
)
PAGES = Part(
    "pages",
    "Many pages at once",
    """\
Fifty connections listen to a sweep of 1,000 runs while it is written (125 series get a point in each tenth of a
second), and each asks for one tag over all runs about once a second. Nothing may be missed, doubled or refused.
The load comes from the same machine.""",
)
MEDIA = Part(
    "media",
    "Images, histograms and the rest",
    """\
The same headless Chromium for both, a fresh one for each page, and servers that have read everything. Times begin
with the navigation. *All images of a screen* (1440 × 900): the last one that is in view is decoded, and none came
or went for 1.5 s after that. Histograms are counted on a screen of 1440 × 3000 on which so many fit, once each is
drawn; TensorBoard is set to 20 of a group in place of its 12. Memory is the sum of the resident sets of the process
tree after Images, Audio, Text, Histograms, Distributions and PR curves were opened, each until it asked for nothing
more for 1.5 s.""",
)
TABLE = Part(
    "table",
    "The table of runs",
    """\
Runs with hyperparameters (in `run.json` and as hparams events) and 20 metrics, in a server that has read everything.
The question: two comparisons and a text as a query, three columns to sort by, and the first 100 rows of every
column, body read whole; the least of seven. In the page (headless Chromium, 1440 × 900, every column): from the click
or the last letter until the rows of the answer have been painted; the median of five. Of the peer: what its HParams
table asks for, with one filter, one order and 100 rows.""",
)
TRIALS = Part(
    "hparams",
    "Trials in the page",
    """\
Runs with nine hyperparameters and an objective in parallel coordinates, headless Chromium without a GPU, 1440 × 900.
*Drawn*: from the navigation until all curves are in the picture. A frame is the time between two animation frames
while a brush is dragged up and down an axis, with the table and the numbers on the right following it. Seamark
alone.""",
)
READBACK = Part(
    "readback",
    "Reading back into Python",
    """\
A fresh process reads every scalar point of the sweep (L2) into columns of steps, times and values; the time holds
the import. `seamark.open(logdir, index_dir=None).scalars()` beside TensorBoard's EventAccumulator, told to keep
every point, run by run, its events made into NumPy arrays; and beside tbparse where it is installed. Peers read
once, Seamark several times.""",
)
TENSORBOARD_ROUTES = Part(
    "tensorboard_routes",
    "TensorBoard's own routes",
    """\
The same requests to both, below /data, bodies read whole; servers that have read everything. *First request*: of a
fresh server, the least of several. Seamark caches the text of a graph until the run writes another; TensorBoard
formats it for every request. *Polled start*: from the start of the process until the listing has all tags of all
runs.""",
)
GRAPHS = Part(
    "graphs",
    "Graphs",
    """\
GraphDefs as TensorFlow 1 writes them: transformers whose blocks are of four kinds, with variables, constants and some
gradients, and graphs of one level. A fresh server that has read the event file but was not asked for the graph, and a
fresh headless Chromium, 1440 × 900. *First view drawn*: from the navigation until Seamark has painted its canvas, or
TensorBoard's scene has nodes and is no longer dimmed (it is, under a progress bar, until similar subgraphs are found);
*idle*: the end of the last task of more than 50 ms. The heap is that of the page's own thread after a collection; the
memory of the server is the sum of the resident sets of its process tree, after the page was drawn. *Expanded*: from the
double click or key until the frame after the one with more boxes. *First request*: the server's part, body read
whole.""",
)
PROJECTOR = Part(
    "projector",
    "Projector",
    """\
Vectors of 128 dimensions around 40 centres, as raw float32 with three columns of metadata, which both read; and a
.npy file without. A fresh server that has read the event file but was not asked for the vectors, which are in the
page cache, and a fresh headless Chromium without a GPU, 1440 × 900. *First points drawn*: from the navigation until
Seamark marks `projector:ready`, or the frame after TensorBoard has a projection and says that it works on nothing.
TensorBoard takes the first 50,000 rows for its PCA. *Orbiting*: a drag across the picture; a frame is the time
between two animation frames. *In process*: a process with the settings of the server, the least of five. Memory is
the sum of the peak resident sets of the process tree, which include the mapped file. t-SNE and UMAP: Seamark's from
the first request until the last epoch; TensorBoard runs them in the page without an end (t-SNE: timed for some
iterations after the first one, and extrapolated to as many epochs) or until it is done (UMAP: made to take all rows,
not only its first 5,000).""",
)
PROFILE = Part(
    "profile",
    "Profile",
    """\
Torch traces of a simulated loop with operators, launches and kernels; an XSpace with steps and operators on four
threads. Each viewer in a process of its own, the file in the page cache; seconds from the file until the overview (and
of the XSpace the trace) is there, without imports. torch-tb-profiler computes all its views at once; xprof its
overview page and its trace viewer. The large trace: nested operators on eight threads with arguments, as plain JSON;
a server that is asked for the state until the trace is read and then for the overview. *Windows*: all rows, 1,400
pixels wide, from the whole trace down to a microsecond, the least of three for each. *Panning*: a drag across the
picture in headless Chromium without a GPU; a frame is the time between two animation frames. *Loops*: simulated with
one planted cause each, or none.""",
)
WHATIF = Part(
    "whatif",
    "What-If",
    """\
A table of 40 numbers and ten categories with a truth and a score; the model is a network of two layers of 1,024 units,
in a process of its own. Seamark alone, in a process with the settings of the server, requests through its HTTP
application without a socket. *Read*: the first request for the columns and the schema. *Performance*: three columns to
slice by and three cost ratios, the median. *Counterfactual*: the median of 19 rows, once the features are
standardized. *Partial dependence*: 20 values for each row; from the first request until it is done, beside the sum of
the times that the function itself took, of the repeat with the best ratio. Performance and worst slices take the stored
scores, the other two the predictions of the model. *Box, lasso*: drawn across the picture in headless Chromium without
a GPU; a frame is the time between two animation frames.""",
)
TEAM = Part(
    "team",
    "A team server",
    """\
*While pages watch*: simulated trainers log 50 metrics a second each and send them as the client does, compressed and
no more often than the server asks, each over a connection of its own; pages follow the project by server-sent events
and ask about once a second for one metric of all runs at 400 pixels. Trainers, pages and server share the machine. An
answer to an upload means that it is durable. Afterwards every point is read back from the server's files and compared.
Memory is the peak of the server. *A million points*: 16 connections send requests for 20 seconds, as fast as they are
answered: of 50 points, as one step of a trainer has, and of the most that each client sends at once (MLflow: 1,000
points, Seamark: about 1 MB). The peer is `mlflow server` with SQLite and its own number of processes. Beside Aim: as
many threads of one program call `Run.track` with a run of `aim server` each, until the server has taken everything.""",
    peer="MLflow",
)
BUCKETS = Part(
    "buckets",
    "Runs in a bucket",
    """\
The runs of L5 in an S3 server on this machine (SeaweedFS), which shares the cores. *First start*: nothing is copied or
indexed; *second start*: the copy and the index are there, and the bucket has not changed. TensorBoard reads s3:// with
boto3 and without its data server, and takes about a second for each run, so it gets few of them, once; it has no index,
so its second start is its first. Requests are
counted by a proxy in front of the server. *Bucket that is away*: a writer whose address nothing listens at, in a
process of its own, beside the same calls with a folder.""",
)
SITE = Part(
    "site",
    "A published site",
    """\
The same logs as a site on a static host with ranges, and from a server that has read everything, in the same headless
Chromium, 1440 × 900, a fresh one for each page. *Publish*: with an index that has everything, a process of its own.
*Zoomed*: from Alt and the wheel over the first chart until its last change. The heap is that of the page's own thread
after a collection; the process has the workers, too, in which a site is read and computed with. Transferred does not
count what workers read.""",
    peer="The page of a server",
)
PARTS = {
    part.name: part
    for part in (
        SERVER,
        BROWSER,
        PAGES,
        MEDIA,
        TABLE,
        TRIALS,
        GRAPHS,
        PROJECTOR,
        PROFILE,
        WHATIF,
        READBACK,
        TENSORBOARD_ROUTES,
        TEAM,
        BUCKETS,
        SITE,
    )
}
