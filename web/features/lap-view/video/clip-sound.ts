import {
  BlobSource,
  EncodedAudioPacketSource,
  EncodedPacketSink,
  Input,
  MP4,
  Mp4OutputFormat,
  QTFF,
  type EncodedPacket,
  type InputAudioTrack,
} from 'mediabunny';
import type { ClipSide } from './clip-plan.ts';
import type { Chapter } from './file-player.ts';

/** The sound of a video as it is in the file, and the track of the clip that takes it. */
export type Sound = { side: ClipSide; config: AudioDecoderConfig; source: EncodedAudioPacketSource };

const NO_SOUND = 'This video has no sound that a clip can hold. Make the clip without it.';

/** Finds the sound of a video. Throws a sentence where it has none, or one of a kind that MP4 does not hold. */
export async function findSound(side: ClipSide): Promise<Sound> {
  const [first] = side.chapters;
  const found = first && (await readTrack(first, describeTrack));
  if (!found) throw new Error(NO_SOUND);
  return { side, ...found };
}

async function describeTrack(track: InputAudioTrack): Promise<Omit<Sound, 'side'> | null> {
  const [codec, config] = [await track.getCodec(), await track.getDecoderConfig()];
  if (codec === null || config === null) return null;
  if (!new Mp4OutputFormat().getSupportedAudioCodecs().includes(codec)) return null;
  return { config, source: new EncodedAudioPacketSource(codec) };
}

/** Copies the packets between two seconds of the recording. Nothing is decoded, so the sound stays as it is. */
export async function copySound(
  { side, config, source }: Sound,
  { from, to }: { from: number; to: number },
  signal: AbortSignal,
): Promise<void> {
  let last = Number.NEGATIVE_INFINITY;
  for (const chapter of side.chapters) {
    const { startSeconds, durationSeconds } = chapter;
    if (startSeconds + durationSeconds < from || startSeconds > to) continue;
    await readTrack(chapter, async (track) => {
      for await (const packet of listPackets(track, from - startSeconds)) {
        signal.throwIfAborted();
        const seconds = startSeconds + packet.timestamp - from;
        if (seconds > to - from) break;
        // Chapters overlap by a packet.
        if (seconds < 0 || seconds <= last) continue;
        await source.add(packet.clone({ timestamp: seconds }), { decoderConfig: config });
        last = seconds;
      }
    });
  }
  source.close();
}

async function* listPackets(track: InputAudioTrack, fromSeconds: number): AsyncGenerator<EncodedPacket> {
  const sink = new EncodedPacketSink(track);
  const start = (await sink.getPacket(Math.max(0, fromSeconds))) ?? (await sink.getFirstPacket());
  if (start) yield* sink.packets(start);
}

/** Opens the sound of a file for so long; null where it has none. */
async function readTrack<Result>(
  { file }: Chapter,
  read: (track: InputAudioTrack) => Promise<Result>,
): Promise<Result | null> {
  const input = new Input({ source: new BlobSource(file), formats: [MP4, QTFF] });
  try {
    const track = await input.getPrimaryAudioTrack();
    return track && (await read(track));
  } finally {
    input.dispose();
  }
}
