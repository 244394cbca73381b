ALTER TABLE "users" ADD COLUMN "avatar_key" text;--> statement-breakpoint
CREATE INDEX "sessions_id_index" ON "sessions" USING btree ("id");