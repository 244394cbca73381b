/** What boards call a driver, as SQL on `users`. */
export const DRIVER_NAME = "coalesce(users.display_name, users.full_name, 'User')";

/** The name of a person as SQL on `users`; null where the person has left, or has given no name. */
export const PERSON_NAME = 'coalesce(users.display_name, users.full_name)';
