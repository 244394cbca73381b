DROP INDEX "laps_driver_ranking_index";--> statement-breakpoint
DROP INDEX "laps_user_index";--> statement-breakpoint
CREATE INDEX "laps_driver_ranking_index" ON "laps" USING btree ("track_id","user_id","lap_time_ms","started_at","session_id","number") WHERE status in ('valid', 'warning');--> statement-breakpoint
CREATE INDEX "laps_user_index" ON "laps" USING btree ("user_id");