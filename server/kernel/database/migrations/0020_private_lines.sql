ALTER TABLE "sessions" ADD COLUMN "lines_private" boolean;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "keep_lines_private" boolean DEFAULT false NOT NULL;