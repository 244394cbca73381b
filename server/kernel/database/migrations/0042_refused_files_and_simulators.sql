CREATE TABLE "refused_files" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"user_id" uuid NOT NULL,
	"file_name" text NOT NULL,
	"byte_count" bigint NOT NULL,
	"sha256" text NOT NULL,
	"report" jsonb NOT NULL,
	"sent_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "refused_files_user_content_key" UNIQUE("user_id","sha256")
);
--> statement-breakpoint
ALTER TABLE "club_settings" ADD COLUMN "has_simulator_boards" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "refused_files" ADD CONSTRAINT "refused_files_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "refused_files_sent_index" ON "refused_files" USING btree ("sent_at");