#!/bin/sh
# Uploads every lap file of this folder: PITBOARD_URL, PITBOARD_TOKEN and TRACK_ID say where to, as whom and for which track.
set -eu
for file in ./*.csv ./*.gpx; do
  [ -e "$file" ] || continue
  curl --silent --show-error --fail-with-body \
    --header "Authorization: Bearer $PITBOARD_TOKEN" \
    --form "trackId=$TRACK_ID" \
    --form "files=@$file" \
    "$PITBOARD_URL/api/upload"
  echo
done
