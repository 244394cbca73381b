import { z } from 'zod';
import type { ChannelName } from '#engine/channels.ts';

/** Names what loggers record besides positions and speeds. */
const CHANNEL_NAMES = [
  'throttle',
  'brake',
  'brakePressure',
  'rpm',
  'gear',
  'steering',
  'longitudinalAcceleration',
  'lateralAcceleration',
] as const satisfies readonly ChannelName[];

const channelSchema = z.object({
  name: z.enum(CHANNEL_NAMES),
  unit: z.string().meta({ description: 'Empty for gears; 0 is neutral, -1 reverse.', examples: ['%'] }),
  step: z
    .number()
    .positive()
    .meta({ description: 'One step of the column in this unit.', examples: [1] }),
  steps: z.array(z.int().nullable()).meta({
    description:
      'The first value, then how far each known one is from the known one before, in steps. Null where the value is unknown.',
    examples: [[100, 0, -4, null, -31]],
  }),
});

export type TraceChannel = z.infer<typeof channelSchema>;

/** The form of `channels`: raised where a reader of this one would read another wrongly. */
export const CHANNELS_VERSION = 1;

/** The logger's other sensors, one entry of each column per entry of the trace. */
export const traceChannelsSchema = z.object({
  version: z.literal(CHANNELS_VERSION),
  columns: z
    .array(channelSchema)
    .meta({ description: 'One for each sensor that the lap file has; none for most receivers.' }),
});
