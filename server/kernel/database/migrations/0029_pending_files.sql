CREATE TABLE "pending_files" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"file_name" text NOT NULL,
	"byte_count" bigint NOT NULL,
	"received_bytes" bigint NOT NULL,
	"sha256" text,
	"sent_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "pending_files" ADD CONSTRAINT "pending_files_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "pending_files_user_index" ON "pending_files" USING btree ("user_id");