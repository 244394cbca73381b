CREATE TABLE "lap_decisions" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"lap_id" uuid NOT NULL,
	"driver_id" uuid NOT NULL,
	"decided_by" uuid NOT NULL,
	"verdict" text NOT NULL,
	"reason" text,
	"decided_at" timestamp with time zone DEFAULT now() NOT NULL,
	"undone_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "lap_flags" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"track_id" text NOT NULL,
	"lap_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"driver_id" uuid NOT NULL,
	"reason" text NOT NULL,
	"sentence" text NOT NULL,
	"flagged_at" timestamp with time zone DEFAULT now() NOT NULL,
	"decision_id" uuid
);
--> statement-breakpoint
ALTER TABLE "laps" ADD COLUMN "rejected_status" text;--> statement-breakpoint
ALTER TABLE "lap_decisions" ADD CONSTRAINT "lap_decisions_driver_id_users_id_fk" FOREIGN KEY ("driver_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "lap_flags" ADD CONSTRAINT "lap_flags_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "lap_flags" ADD CONSTRAINT "lap_flags_driver_id_users_id_fk" FOREIGN KEY ("driver_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "lap_decisions_lap_index" ON "lap_decisions" USING btree ("lap_id");--> statement-breakpoint
CREATE INDEX "lap_decisions_driver_index" ON "lap_decisions" USING btree ("driver_id");--> statement-breakpoint
CREATE INDEX "lap_flags_lap_index" ON "lap_flags" USING btree ("lap_id");--> statement-breakpoint
CREATE INDEX "lap_flags_user_index" ON "lap_flags" USING btree ("user_id","flagged_at");--> statement-breakpoint
CREATE INDEX "lap_flags_driver_index" ON "lap_flags" USING btree ("driver_id");