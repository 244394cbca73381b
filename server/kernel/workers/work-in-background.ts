import { constants, setPriority } from 'node:os';

/**
 * Makes the thread that calls it wait for those that others wait for: the server's event loop and its database. Only Linux
 * gives threads a priority of their own; elsewhere it would be the whole process, so nothing happens.
 */
export function workInBackground(): void {
  if (process.platform === 'linux') setPriority(constants.priority.PRIORITY_LOW);
}
