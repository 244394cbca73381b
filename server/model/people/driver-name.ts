/** Selects the name that boards show for a driver, as SQL on `users`. */
export const DRIVER_NAME = "coalesce(users.display_name, users.full_name, 'User')";

/** Selects the name of a person, as SQL on `users`; null where the account is deleted or has no name. */
export const PERSON_NAME = 'coalesce(users.display_name, users.full_name)';
