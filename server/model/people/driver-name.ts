/** Selects the name that boards show for a driver, as SQL on `users`. */
export const DRIVER_NAME = "coalesce(users.display_name, users.full_name, 'User')";

/**
 * Is true where the account of a driver is to be deleted, as SQL on `users`. Others see nothing of such a driver, as after the
 * deletion.
 */
export const IS_LEAVING = 'users.deletion_due_at IS NOT NULL';

/** Selects the name of a person, as SQL on `users`; null where the account is deleted, or to be deleted, or has no name. */
export const PERSON_NAME = `CASE WHEN NOT (${IS_LEAVING}) THEN coalesce(users.display_name, users.full_name) END`;
