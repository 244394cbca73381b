ALTER TABLE "lap_flags" ADD COLUMN "other_lap_id" uuid;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "username" text;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "deletion_due_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "webhook_deliveries" ADD COLUMN "user_ids" uuid[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX "users_username_look_key" ON "users" USING btree (name_look(username));--> statement-breakpoint
CREATE INDEX "users_deletion_index" ON "users" USING btree ("deletion_due_at") WHERE deletion_due_at is not null;--> statement-breakpoint
-- No name of a driver is kept in the sentence of a flag any more.
UPDATE lap_flags SET sentence = regexp_replace(sentence, '^Follows a lap of .* within ([0-9.]+ m and )', 'Follows a lap of another driver within \1')
WHERE user_id IS NULL AND reason = 'copy';--> statement-breakpoint
WITH known AS MATERIALIZED (SELECT track_id, id, user_id, other_user_id FROM events)
UPDATE webhook_deliveries SET user_ids = array_remove(ARRAY[known.user_id, known.other_user_id], NULL)
FROM known WHERE known.track_id = webhook_deliveries.track_id AND known.id = webhook_deliveries.event_id;--> statement-breakpoint
-- Deliveries whose event is gone may name a deleted driver.
DELETE FROM webhook_deliveries WHERE event <> 'test' AND user_ids = '{}';--> statement-breakpoint
-- Outlines that were drawn from lines which their drivers keep private.
UPDATE tracks SET thin_outline = NULL, thin_outline_session_id = NULL
WHERE outline IS NULL AND thin_outline_session_id IS NOT NULL AND EXISTS (
  SELECT FROM sessions JOIN users ON users.id = sessions.user_id
  WHERE sessions.track_id = tracks.id AND sessions.id = tracks.thin_outline_session_id
    AND coalesce(sessions.lines_private, users.keep_lines_private)
);
