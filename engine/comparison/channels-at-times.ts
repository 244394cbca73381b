import { isStepped, mapChannels, type Channels } from '../channels.ts';
import { at, type FixColumns } from '../fix-columns.ts';

/** Returns the channels of fixes at other moments, which rise: between two fixes along a straight line, in steps for a gear. */
export function channelsAtTimes(
  { timesMs, channels = {}, length }: FixColumns,
  moments: Float64Array,
): Channels {
  return mapChannels(channels, (values, name) => {
    let fix = 0;
    return moments.map((momentMs) => {
      while (fix + 1 < length && at(timesMs, fix + 1) <= momentMs) fix += 1;
      const value = at(values, fix);
      if (isStepped(name) || fix + 1 >= length || momentMs <= at(timesMs, fix)) return value;
      const share = (momentMs - at(timesMs, fix)) / (at(timesMs, fix + 1) - at(timesMs, fix));
      return value + share * (at(values, fix + 1) - value);
    });
  });
}
