ALTER TABLE "laps" ADD COLUMN "id" uuid DEFAULT gen_random_uuid() NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX "laps_id_index" ON "laps" USING btree ("track_id","id");