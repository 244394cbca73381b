ALTER TABLE "session_bests" RENAME COLUMN "standing_lap_count" TO "same_car_lap_count";--> statement-breakpoint
ALTER INDEX "session_bests_standing_index" RENAME TO "session_bests_cars_index";--> statement-breakpoint
ALTER INDEX "session_bests_standing_drivers_index" RENAME TO "session_bests_car_drivers_index";--> statement-breakpoint
ALTER TABLE "change_positions" RENAME TO "replay_positions";--> statement-breakpoint
ALTER TABLE "replay_positions" RENAME CONSTRAINT "change_positions_user_id_users_id_fk" TO "replay_positions_user_id_users_id_fk";
