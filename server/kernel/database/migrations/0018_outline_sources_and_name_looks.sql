-- What a name looks like: names with the same look cannot be told apart on a board. Compatibility forms are unified (NFKC), joiners
-- and white space go, and letters of other scripts become the Latin ones that they look like.
CREATE FUNCTION name_look(name text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT replace(replace(translate(
    lower(translate(
      regexp_replace(normalize(name, NFKC), E'[\\s\u200c\u200d\ufe0f]+', '', 'g'),
      'АВЕЅІЈКМНОРСТУХԌԜΑΒΕΖΗΙΚΜΝΟΡΤΥΧ', 'ABESIJKMHOPCTYXGWABEZHIKMNOPTYX'
    )),
    'авеѕіјкмнорстухԁһԛԝӏгпαβεικνορτυχγɑɡıօսոհi10|!', 'abesljkmhopctyxdhqwlrnabelkvoptuxyaglounhlloll'
  ), 'rn', 'm'), 'vv', 'w')
$$;--> statement-breakpoint
ALTER TABLE "tracks" ADD COLUMN "thin_outline_session_id" uuid;--> statement-breakpoint
CREATE INDEX "users_display_name_look_index" ON "users" USING btree (name_look(display_name));--> statement-breakpoint
CREATE INDEX "users_full_name_look_index" ON "users" USING btree (name_look(full_name));--> statement-breakpoint
ALTER TABLE "users" DROP COLUMN "picture_url";--> statement-breakpoint
-- Outlines that were drawn before are those of the fastest valid lap.
UPDATE tracks SET thin_outline_session_id = (
  SELECT session_id FROM laps WHERE laps.track_id = tracks.id AND status = 'valid'
  ORDER BY lap_time_ms, started_at, session_id LIMIT 1
) WHERE outline IS NULL AND thin_outline IS NOT NULL;--> statement-breakpoint
UPDATE tracks SET thin_outline = NULL
WHERE outline IS NULL AND thin_outline_session_id IS NULL AND thin_outline IS NOT NULL;
