import { IS_LEAVING } from '#server/model/people/driver-name.ts';

/** Is true where others may not see the line of a lap, as SQL on `sessions` and `users`. */
export const IS_PRIVATE = 'coalesce(sessions.lines_private, users.keep_lines_private)';

/** Is true where everybody may see the lines of a session's ranking laps, as SQL on `sessions` and `users`. */
export const IS_LINE_SHOWN = `NOT ${IS_PRIVATE} AND NOT (${IS_LEAVING})`;
