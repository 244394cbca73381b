import { z } from 'zod';
import { endpoint, NOT_RECENT } from '#contract/endpoint.ts';

export const demoStatusSchema = z.object({
  /** `none` means that all drivers are real. */
  state: z.enum(['none', 'preparing', 'ready']),
  /** The number of demo drivers whose season has been simulated. */
  driversDone: z.int(),
  drivers: z.int(),
});

export type DemoStatus = z.infer<typeof demoStatusSchema>;

export const demoEndpoints = {
  status: endpoint({
    method: 'GET',
    path: '/api/demo',
    access: 'public',
    summary: 'Whether there is a demo community of invented drivers, and how far its preparation has come.',
    response: demoStatusSchema,
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/admin/demo',
    access: 'admin',
    audit: 'remove-demo',
    recentSignIn: 'Sign in again to remove the demo data.',
    summary: 'Removes the demo community for good: its drivers, cars, sessions, laps and lap files.',
    response: z.object({ drivers: z.int(), sessions: z.int() }),
    errors: { ...NOT_RECENT, not_found: 'There is no demo community, or it was removed before.' },
  }),
};
