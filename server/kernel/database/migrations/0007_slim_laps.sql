ALTER TABLE "laps" DROP CONSTRAINT "laps_user_id_users_id_fk";
--> statement-breakpoint
ALTER TABLE "laps" DROP CONSTRAINT "laps_user_car_id_user_cars_id_fk";
--> statement-breakpoint
DROP INDEX "laps_ranking_index";--> statement-breakpoint
DROP INDEX "laps_driver_ranking_index";--> statement-breakpoint
DROP INDEX "laps_user_index";--> statement-breakpoint
DROP INDEX "laps_user_car_index";--> statement-breakpoint
ALTER TABLE "laps" DROP COLUMN "user_id";--> statement-breakpoint
ALTER TABLE "laps" DROP COLUMN "user_car_id";