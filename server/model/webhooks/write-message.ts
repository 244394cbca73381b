import { WEBHOOK_EVENTS, type WebhookEvent, type WebhookFormat } from '#contract/webhooks/labels.ts';
import { formatLapTime } from '#engine/lap-time.ts';
import type { StoredEvent } from '#server/model/events/event-kinds.ts';

export type PublicEvent = Extract<StoredEvent, { kind: WebhookEvent }>;

export function isPublicEvent(event: StoredEvent): event is PublicEvent {
  return WEBHOOK_EVENTS.some((kind) => kind === event.kind);
}

export type MessageNames = { track: string; driver: string; otherDriver: string | null; publicUrl: string };

// A driver may use @everyone or a link as a name: a backslash makes Discord show markup characters as text.
const DISCORD_CHARACTERS_MAX = 2_000;
const DISCORD_SIGNS = /[\\*_~`|>#[\]()<@:-]/g;

/** Writes the body for an event, in the format of a webhook. */
export function writeMessage(event: PublicEvent, names: MessageNames, format: WebhookFormat): object {
  const url = `${names.publicUrl}/track/${event.trackId}`;
  if (format === 'discord') {
    const escaped = (text: string) => text.replaceAll(DISCORD_SIGNS, String.raw`\$&`);
    const text = describe(event, {
      ...names,
      track: escaped(names.track),
      driver: escaped(names.driver),
      otherDriver: names.otherDriver === null ? null : escaped(names.otherDriver),
    });
    return toDiscord(`${text}\n${url}`);
  }
  return {
    event: event.kind,
    id: `${event.trackId}-${event.id}`,
    createdAt: event.createdAt.toISOString(),
    track: { id: event.trackId, name: names.track, url },
    driver: { id: event.userId, name: names.driver },
    otherDriver: event.otherUserId === null ? null : { id: event.otherUserId, name: names.otherDriver },
    details: event.payload,
    text: describe(event, names),
  };
}

export function writeTestMessage(format: WebhookFormat, publicUrl: string): object {
  const text = 'This is a test message of Pitboard.';
  return format === 'discord' ? toDiscord(`${text}\n${publicUrl}`) : { event: 'test', text };
}

function toDiscord(content: string): object {
  // This keeps a name from mentioning all members of a channel.
  return { content: content.slice(0, DISCORD_CHARACTERS_MAX), allowed_mentions: { parse: [] } };
}

function describe(event: PublicEvent, { track, driver, otherDriver }: MessageNames): string {
  switch (event.kind) {
    case 'record_set':
      return `${driver} set the record at ${track}: ${formatLapTime(event.payload.lapTimeMs)}.`;
    case 'personal_best': {
      const { lapTimeMs, rank } = event.payload;
      return `${driver} drove a personal best at ${track}: ${formatLapTime(lapTimeMs)}, P${rank}.`;
    }
    case 'rank_lost': {
      const { rank, previousRank } = event.payload;
      return `${otherDriver ?? 'A driver'} passed ${driver} at ${track}: ${driver} went from P${previousRank} to P${rank}.`;
    }
    default:
      return `${track} is an official track now.`;
  }
}
