/** One position as a receiver would have told it. */
export type DrivenFix = { timeMs: number; lat: number; lon: number; speedMetersPerSecond: number };

/** What really happened in one lap, free of any sampling. */
export type TrueLap = { startTimeMs: number; lapTimeMs: number; sectorTimesMs: number[] };

/** A drive as it was recorded, beside the truth. Times count from the Unix epoch. */
export type SimulatedDrive = { fixes: DrivenFix[]; trueLaps: TrueLap[] };
