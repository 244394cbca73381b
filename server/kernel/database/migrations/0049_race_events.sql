CREATE TABLE "race_event_classes" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"event_id" uuid NOT NULL,
	"name" text NOT NULL,
	"index_factor" double precision,
	"order" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "race_event_courses" (
	"event_id" uuid NOT NULL,
	"number" integer NOT NULL,
	"track_id" text NOT NULL,
	"name" text NOT NULL,
	CONSTRAINT "race_event_courses_pkey" PRIMARY KEY("event_id","number")
);
--> statement-breakpoint
CREATE TABLE "race_event_entries" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"event_id" uuid NOT NULL,
	"class_id" uuid NOT NULL,
	"user_id" uuid,
	"driver_name" text,
	"user_car_id" uuid,
	"car_name" text,
	"number" text NOT NULL,
	"group" text,
	"entered_at" timestamp with time zone DEFAULT now() NOT NULL,
	"withdrawn_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "race_event_runs" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"entry_id" uuid NOT NULL,
	"course_number" integer NOT NULL,
	"lap_id" uuid,
	"time_ms" integer,
	"cones" integer NOT NULL,
	"gates" integer NOT NULL,
	"status" text NOT NULL,
	"reason" text,
	"recorded_at" timestamp with time zone DEFAULT now() NOT NULL,
	"changed_at" timestamp with time zone DEFAULT now() NOT NULL,
	"changed_by" uuid
);
--> statement-breakpoint
CREATE TABLE "race_events" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"name" text NOT NULL,
	"description" text NOT NULL,
	"first_day" text NOT NULL,
	"last_day" text NOT NULL,
	"state" text DEFAULT 'draft' NOT NULL,
	"provisional_until" timestamp with time zone,
	"official_at" timestamp with time zone,
	"official_results" text,
	"first_runs" integer,
	"counted_runs" integer,
	"cone_penalty_ms" integer NOT NULL,
	"gate_penalty_ms" integer NOT NULL,
	"tie_rule" text NOT NULL,
	"takes_laps" boolean NOT NULL,
	"protest_minutes" integer NOT NULL,
	"created_by" uuid,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "race_event_classes" ADD CONSTRAINT "race_event_classes_event_id_race_events_id_fk" FOREIGN KEY ("event_id") REFERENCES "public"."race_events"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "race_event_courses" ADD CONSTRAINT "race_event_courses_event_id_race_events_id_fk" FOREIGN KEY ("event_id") REFERENCES "public"."race_events"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "race_event_entries" ADD CONSTRAINT "race_event_entries_event_id_race_events_id_fk" FOREIGN KEY ("event_id") REFERENCES "public"."race_events"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "race_event_entries" ADD CONSTRAINT "race_event_entries_class_id_race_event_classes_id_fk" FOREIGN KEY ("class_id") REFERENCES "public"."race_event_classes"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "race_event_entries" ADD CONSTRAINT "race_event_entries_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "race_event_entries" ADD CONSTRAINT "race_event_entries_user_car_id_user_cars_id_fk" FOREIGN KEY ("user_car_id") REFERENCES "public"."user_cars"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "race_event_runs" ADD CONSTRAINT "race_event_runs_entry_id_race_event_entries_id_fk" FOREIGN KEY ("entry_id") REFERENCES "public"."race_event_entries"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "race_event_runs" ADD CONSTRAINT "race_event_runs_changed_by_users_id_fk" FOREIGN KEY ("changed_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "race_events" ADD CONSTRAINT "race_events_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "race_event_classes_event_index" ON "race_event_classes" USING btree ("event_id");--> statement-breakpoint
CREATE INDEX "race_event_courses_track_index" ON "race_event_courses" USING btree ("track_id");--> statement-breakpoint
CREATE UNIQUE INDEX "race_event_entries_number_key" ON "race_event_entries" USING btree ("event_id","number") WHERE withdrawn_at is null;--> statement-breakpoint
CREATE INDEX "race_event_entries_class_index" ON "race_event_entries" USING btree ("class_id");--> statement-breakpoint
CREATE INDEX "race_event_entries_user_index" ON "race_event_entries" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "race_event_entries_user_car_index" ON "race_event_entries" USING btree ("user_car_id");--> statement-breakpoint
CREATE INDEX "race_event_runs_entry_index" ON "race_event_runs" USING btree ("entry_id","recorded_at");--> statement-breakpoint
CREATE UNIQUE INDEX "race_event_runs_lap_key" ON "race_event_runs" USING btree ("entry_id","lap_id");--> statement-breakpoint
CREATE INDEX "race_event_runs_changed_by_index" ON "race_event_runs" USING btree ("changed_by");--> statement-breakpoint
CREATE INDEX "race_events_day_index" ON "race_events" USING btree ("last_day");