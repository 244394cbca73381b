import process from 'node:process';

/**
 * True in `npm run test:all`, which runs the stories with the tag `@all`, which `npm test` leaves out, and once more those with the tag `@matrix`, then in
 * both themes at all widths.
 */
export const isLongRun = process.env['PITBOARD_LONG_TESTS'] === 'on';
