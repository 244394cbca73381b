CREATE TABLE "saved_comparisons" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"user_id" uuid NOT NULL,
	"name" text NOT NULL,
	"track_id" text NOT NULL,
	"lap_ids" uuid[] NOT NULL,
	"saved_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "saved_comparisons" ADD CONSTRAINT "saved_comparisons_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "saved_comparisons_user_index" ON "saved_comparisons" USING btree ("user_id","saved_at");--> statement-breakpoint
CREATE INDEX "saved_comparisons_track_index" ON "saved_comparisons" USING btree ("track_id");