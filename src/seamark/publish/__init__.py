"""`seamark publish`: runs as a static site that any web host can serve.

gathering  asks the application of this process for everything that the page requests
blobs      what was gathered, spooled to a temporary file
packs      blobs in files that are named by their content; what an earlier site has already
seal       encryption
folder     the folder of a site, and an earlier site there
site       sizes, and writing
"""

from seamark.format.seal import NoCryptographyError, PassphraseSealer, PlainSealer, Sealer, WrongPassphraseError
from seamark.publish.blobs import Spool
from seamark.publish.folder import ForeignFolderError, SiteFolder
from seamark.publish.gathering import LOGGED_PARTS, PARTS, gather
from seamark.publish.page_files import NoPageError
from seamark.publish.site import SitePlan, SiteSize, Written

__all__ = [
    "LOGGED_PARTS",
    "PARTS",
    "ForeignFolderError",
    "NoCryptographyError",
    "NoPageError",
    "PassphraseSealer",
    "PlainSealer",
    "Sealer",
    "SiteFolder",
    "SitePlan",
    "SiteSize",
    "Spool",
    "Written",
    "WrongPassphraseError",
    "gather",
]
