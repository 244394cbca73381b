CREATE TABLE "session_bests" (
	"track_id" text NOT NULL,
	"session_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"driver_name" text NOT NULL,
	"car_model_id" uuid,
	"tire_compound" text,
	"started_at" timestamp with time zone NOT NULL,
	"lap_time_ms" integer NOT NULL,
	"lap_started_at" timestamp with time zone NOT NULL,
	"lap_number" integer NOT NULL,
	"lap_count" integer NOT NULL,
	"standing_lap_count" integer,
	CONSTRAINT "session_bests_pkey" PRIMARY KEY("track_id","session_id")
);
--> statement-breakpoint
ALTER TABLE "session_bests" ADD CONSTRAINT "session_bests_session_fkey" FOREIGN KEY ("track_id","session_id") REFERENCES "public"."sessions"("track_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "session_bests_standing_index" ON "session_bests" USING btree ("track_id","lap_time_ms","lap_started_at","session_id","lap_number","user_id","car_model_id","tire_compound","standing_lap_count","driver_name") WHERE standing_lap_count is not null;--> statement-breakpoint
CREATE INDEX "session_bests_period_index" ON "session_bests" USING btree ("track_id","started_at","lap_time_ms","lap_started_at","session_id","lap_number","user_id","car_model_id","tire_compound","lap_count","driver_name");--> statement-breakpoint
CREATE INDEX "session_bests_user_index" ON "session_bests" USING btree ("user_id","track_id");--> statement-breakpoint
INSERT INTO session_bests (track_id, session_id, user_id, driver_name, car_model_id, tire_compound, started_at, lap_time_ms, lap_started_at, lap_number, lap_count, standing_lap_count)
WITH best AS (
	SELECT DISTINCT ON (track_id, session_id) track_id, session_id, number, lap_time_ms, started_at,
		count(*) OVER (PARTITION BY track_id, session_id)::int AS lap_count
	FROM laps WHERE status IN ('valid', 'warning')
	ORDER BY track_id, session_id, lap_time_ms, started_at, number
)
SELECT sessions.track_id, sessions.id, sessions.user_id, coalesce(users.display_name, users.full_name, 'User'),
	user_cars.car_model_id, sessions.tire_compound, sessions.started_at, best.lap_time_ms, best.started_at, best.number, best.lap_count,
	CASE row_number() OVER (
		PARTITION BY sessions.track_id, sessions.user_id, user_cars.car_model_id, sessions.tire_compound
		ORDER BY best.lap_time_ms, best.started_at, sessions.id, best.number
	) WHEN 1 THEN sum(best.lap_count) OVER (
		PARTITION BY sessions.track_id, sessions.user_id, user_cars.car_model_id, sessions.tire_compound
	)::int END
FROM best
JOIN sessions ON sessions.track_id = best.track_id AND sessions.id = best.session_id
JOIN users ON users.id = sessions.user_id
LEFT JOIN user_cars ON user_cars.id = sessions.user_car_id;--> statement-breakpoint
-- Boards read their rows from the indexes alone as long as most pages are known to be seen by all.
ALTER TABLE session_bests SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02);
