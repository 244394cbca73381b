import { z } from 'zod';
import { endpoint } from '#contract/endpoint.ts';

const firstStepsSchema = z.object({
  sendsMail: z.boolean().meta({ description: 'Whether a mail server is set.' }),
  hasTracks: z.boolean().meta({ description: 'Whether a track was added since the set-up, or has laps.' }),
  hasInvited: z.boolean().meta({ description: 'Whether anybody else has an account or an invitation.' }),
  hasBackup: z.boolean().meta({ description: 'Whether there is a backup.' }),
  hasLap: z.boolean().meta({ description: 'Whether a lap ranks on a board.' }),
});

export type FirstSteps = z.infer<typeof firstStepsSchema>;

const answer = z.object({
  steps: firstStepsSchema.nullable().meta({
    description: 'Null when all are done, when an owner has hidden them, and before the set-up.',
  }),
});

export const firstStepEndpoints = {
  list: endpoint({
    method: 'GET',
    path: '/api/admin/first-steps',
    access: 'owner',
    summary: 'Which of the first steps of a new club are done.',
    response: answer,
  }),
  hide: endpoint({
    method: 'PUT',
    path: '/api/admin/first-steps',
    access: 'owner',
    summary: 'Hides the first steps of a new club from its owners, or shows them again.',
    body: z.object({ isHidden: z.boolean() }),
    response: answer,
  }),
};
