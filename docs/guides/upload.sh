#!/bin/sh
# Uploads every lap file of this folder: PITBOARD_URL, PITBOARD_TOKEN and TRACK_ID say where to, as whom and for which track.
set -eu
for file in ./*; do
  name=$(printf '%s' "$file" | tr '[:upper:]' '[:lower:]')
  case "${name%.gz}" in
    *.csv | *.tsv | *.gpx | *.tcx | *.kml | *.kmz | *.vbo | *.vbb | *.nmea | *.txt | *.log | *.sa) ;;
    *.dove | *.dovex | *.fit | *.xrk | *.xrz | *.rcz | *.pbrec | *.ubx | *.bin | *.ld | *.adulog) ;;
    *.run | *.ibt | *.hlptr | *.hlptrl | *.hlptrz | *.zip) ;;
    *) continue ;;
  esac
  curl --silent --show-error --fail-with-body \
    --header "Authorization: Bearer $PITBOARD_TOKEN" \
    --form "trackId=$TRACK_ID" \
    --form "files=@$file" \
    "$PITBOARD_URL/api/upload"
  echo
done
