/**
 * Names the engine that timed a lap; every session stores it. Raise it with every change after which a stored lap file
 * may give other laps, times, uncertainties or statuses; `npm run retime` then brings what is stored up to date.
 */
export const ENGINE_VERSION = '23';
