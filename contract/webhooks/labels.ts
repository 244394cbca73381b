/** The events that webhooks report. All are public on the boards; messages with moderators are never sent. */
export const WEBHOOK_EVENTS = ['record_set', 'personal_best', 'rank_lost', 'track_approved'] as const;

export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number];

export const WEBHOOK_EVENT_LABELS: Record<WebhookEvent, string> = {
  record_set: 'Track records',
  personal_best: 'Personal bests',
  rank_lost: 'Positions lost',
  track_approved: 'Approved tracks',
};

export const WEBHOOK_FORMATS = ['pitboard', 'discord'] as const;

export type WebhookFormat = (typeof WEBHOOK_FORMATS)[number];

export const WEBHOOK_FORMAT_LABELS: Record<WebhookFormat, string> = {
  pitboard: 'Pitboard JSON',
  discord: 'Discord',
};

export const DELIVERY_STATES = ['waiting', 'delivered', 'failed'] as const;

export const WEBHOOKS_MAX = 20;
