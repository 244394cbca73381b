ALTER TABLE "lap_files" ADD COLUMN "rounded_hashes" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
CREATE INDEX "lap_files_rounded_index" ON "lap_files" USING gin ("rounded_hashes");