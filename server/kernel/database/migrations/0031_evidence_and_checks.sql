CREATE TABLE "lap_evidence" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"track_id" text NOT NULL,
	"lap_id" uuid NOT NULL,
	"driver_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"source" text NOT NULL,
	"figures" jsonb,
	"granted_by" uuid,
	"granted_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "lap_questions" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"track_id" text NOT NULL,
	"lap_id" uuid NOT NULL,
	"driver_id" uuid NOT NULL,
	"asked_by" uuid NOT NULL,
	"question" text NOT NULL,
	"asked_at" timestamp with time zone DEFAULT now() NOT NULL,
	"answer" text,
	"answered_at" timestamp with time zone
);
--> statement-breakpoint
ALTER TABLE "lap_flags" ALTER COLUMN "user_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "rules_version" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "extremes" jsonb;--> statement-breakpoint
ALTER TABLE "lap_flags" ADD COLUMN "figures" jsonb;--> statement-breakpoint
ALTER TABLE "lap_evidence" ADD CONSTRAINT "lap_evidence_driver_id_users_id_fk" FOREIGN KEY ("driver_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "lap_questions" ADD CONSTRAINT "lap_questions_driver_id_users_id_fk" FOREIGN KEY ("driver_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "lap_evidence_key" ON "lap_evidence" USING btree ("track_id","lap_id","kind");--> statement-breakpoint
CREATE INDEX "lap_evidence_driver_index" ON "lap_evidence" USING btree ("driver_id");--> statement-breakpoint
CREATE INDEX "lap_questions_lap_index" ON "lap_questions" USING btree ("lap_id");--> statement-breakpoint
CREATE INDEX "lap_questions_driver_index" ON "lap_questions" USING btree ("driver_id");--> statement-breakpoint
CREATE INDEX "lap_flags_open_index" ON "lap_flags" USING btree ("track_id") WHERE decision_id is null;--> statement-breakpoint
CREATE UNIQUE INDEX "lap_flags_automatic_key" ON "lap_flags" USING btree ("lap_id","reason") WHERE user_id is null;