ALTER TABLE "lap_files" ADD COLUMN "positions_hash" text;--> statement-breakpoint
ALTER TABLE "laps" ADD COLUMN "positions_hash" text;--> statement-breakpoint
CREATE INDEX "laps_positions_index" ON "laps" USING btree ("track_id","positions_hash");--> statement-breakpoint
ALTER TABLE "lap_files" ADD CONSTRAINT "lap_files_positions_hash_key" UNIQUE("positions_hash");