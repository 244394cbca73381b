import { AppError } from '#server/kernel/errors.ts';
import { hashPassword } from '#server/model/people/password-hash.ts';
import { findPasswordProblem } from './password-rules.ts';

/**
 * Checks and hashes a chosen password; `personal` lists known facts about the user.
 * @throws AppError `invalid_input`, for the field `field`
 */
export async function hashNewPassword(
  password: string,
  personal: readonly string[],
  field: 'password' | 'newPassword' = 'newPassword',
): Promise<string> {
  const problem = await findPasswordProblem(password, personal);
  if (problem) throw new AppError('invalid_input', problem, { fields: { [field]: problem } });
  return await hashPassword(password);
}
