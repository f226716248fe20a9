import Nuke
