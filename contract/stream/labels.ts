/** The events of the stream of a tab. */
export const STREAM_EVENTS = ['notices', 'live', 'live-moves', 'live-end'] as const;

export type StreamEvent = (typeof STREAM_EVENTS)[number];
