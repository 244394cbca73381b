ALTER TABLE "car_models" ADD COLUMN "status" text DEFAULT 'official' NOT NULL;--> statement-breakpoint
ALTER TABLE "car_models" ADD COLUMN "proposed_by" uuid;--> statement-breakpoint
ALTER TABLE "car_models" ADD COLUMN "proposed_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "car_models" ADD CONSTRAINT "car_models_proposed_by_users_id_fk" FOREIGN KEY ("proposed_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "car_models_proposals_index" ON "car_models" USING btree ("proposed_by","proposed_at");