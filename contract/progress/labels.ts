/** The boards on which the place of a driver is shown: that of all laps, of one race class, or of one car model. */
export const BOARD_SCOPES = ['board', 'class', 'car'] as const;
