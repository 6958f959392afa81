// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/data/decode/decode.h"

#include <QtTest>
#include <cmath>
#include <cstring>

#include "engine/data/decode/exif.h"
#include "engine/data/encode.h"
#include "tests/data/picture_bytes.h"

namespace disco::data {
namespace {

std::vector<std::byte> bytes_of(std::string_view hex) {
  const QByteArray raw = QByteArray::fromHex(QByteArray(hex.data(), static_cast<qsizetype>(hex.size())));
  std::vector<std::byte> bytes(static_cast<std::size_t>(raw.size()));
  std::memcpy(bytes.data(), raw.constData(), bytes.size());
  return bytes;
}

std::vector<std::byte> text_bytes(std::string_view text) {
  const auto* first = reinterpret_cast<const std::byte*>(text.data());
  return {first, first + text.size()};
}

/// The red channel as one row of numbers; -1 in front when the picture is not grey.
std::vector<int> grey_values(const models::Image& image) {
  std::vector<int> values;
  for (std::size_t i = 0; i < image.rgb.size(); i += 3) {
    if (image.rgb[i] != image.rgb[i + 1] || image.rgb[i] != image.rgb[i + 2]) values.insert(values.begin(), -1);
    values.push_back(image.rgb[i]);
  }
  return values;
}

bool near(const std::vector<int>& a, const std::vector<int>& b, int tolerance) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (std::abs(a[i] - b[i]) > tolerance) return false;
  }
  return true;
}

/// An EXIF block with the orientation as its only entry.
std::vector<std::byte> exif_block(int orientation, bool little) {
  const auto value = static_cast<char>(orientation);
  const std::string block =
      little
          ? std::string("II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0", 18) + value + std::string("\0\0\0\0\0\0\0", 7)
          : std::string("MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0", 19) + value + std::string("\0\0\0\0\0\0", 6);
  return text_bytes(block);
}

/// The test pictures carry a big-endian block of 26 bytes; this puts another one in its place.
std::vector<std::byte> with_exif(std::vector<std::byte> picture, const std::vector<std::byte>& block) {
  const auto old = exif_block(1, false);
  const auto at = std::search(picture.begin(), picture.end(), old.begin(), old.end());
  Q_ASSERT(at != picture.end() && block.size() == old.size());
  std::copy(block.begin(), block.end(), at);
  return picture;
}

void append_big32(std::vector<std::byte>& out, std::uint32_t value) {
  for (int shift = 24; shift >= 0; shift -= 8) out.push_back(static_cast<std::byte>(value >> shift & 0xFF));
}

std::uint32_t crc32(const std::vector<std::byte>& bytes) {
  std::uint32_t crc = 0xFFFFFFFF;
  for (const std::byte byte : bytes) {
    crc ^= std::to_integer<std::uint32_t>(byte);
    for (int bit = 0; bit < 8; ++bit) crc = (crc & 1) != 0 ? crc >> 1 ^ 0xEDB88320 : crc >> 1;
  }
  return ~crc;
}

/// The PNG with an eXIf chunk behind its IHDR.
std::vector<std::byte> png_with_exif(const std::vector<std::byte>& png, const std::vector<std::byte>& block) {
  constexpr std::size_t kBehindHeader = 33;
  std::vector<std::byte> out(png.begin(), png.begin() + kBehindHeader), chunk = text_bytes("eXIf");
  chunk.insert(chunk.end(), block.begin(), block.end());
  append_big32(out, static_cast<std::uint32_t>(block.size()));
  out.insert(out.end(), chunk.begin(), chunk.end());
  append_big32(out, crc32(chunk));
  out.insert(out.end(), png.begin() + kBehindHeader, png.end());
  return out;
}

std::vector<std::byte> without_app14(std::vector<std::byte> jpeg) {
  for (std::size_t i = 2; i + 4 < jpeg.size() && jpeg[i] == std::byte{0xFF};) {
    const std::size_t length =
        2 + (std::to_integer<std::size_t>(jpeg[i + 2]) << 8 | std::to_integer<std::size_t>(jpeg[i + 3]));
    if (jpeg[i + 1] == std::byte{0xEE}) {
      jpeg.erase(jpeg.begin() + static_cast<std::ptrdiff_t>(i), jpeg.begin() + static_cast<std::ptrdiff_t>(i + length));
      return jpeg;
    }
    i += length;
  }
  return jpeg;
}

std::int64_t peak_memory_kib() {
  QFile status(QStringLiteral("/proc/self/status"));
  if (!status.open(QIODevice::ReadOnly)) return -1;
  for (const QByteArray& line : status.readAll().split('\n')) {
    if (line.startsWith("VmHWM:")) return line.mid(6).simplified().split(' ').first().toLongLong();
  }
  return -1;
}

class DecodeTest : public QObject {
  Q_OBJECT

 private:
  const std::vector<int> kGreys = {0, 50, 100, 150, 200, 250};

 private Q_SLOTS:
  // First, so that the peak of memory is that of this test.
  void a_bomb_is_refused_before_memory_is_asked_for() {
    const auto bomb = bytes_of(
        "89504e470d0a1a0a0000000d49484452000186a0000186a0080200000027309c9f0000000c49444154789c6360a00c000000400001b734"
        "7cef"
        "0000000049454e44ae426082");
    QCOMPARE(bomb.size(), std::size_t{69});
    const auto result = decode(bomb);
    QVERIFY(!result.has_value());
    QVERIFY(result.error().what.find("100000 x 100000") != std::string::npos);
    // A size below the limit on pixels that 69 bytes cannot hold.
    auto small_bomb = bomb;
    for (const std::size_t at : {16U, 20U}) {
      small_bomb[at] = small_bomb[at + 1] = std::byte{0};
      small_bomb[at + 2] = std::byte{0x27}, small_bomb[at + 3] = std::byte{0x0F};
    }
    const std::uint32_t crc = crc32({small_bomb.begin() + 12, small_bomb.begin() + 29});
    for (std::size_t i = 0; i < 4; ++i) small_bomb[29 + i] = static_cast<std::byte>(crc >> (24 - 8 * i) & 0xFF);
    const auto small_result = decode(small_bomb);
    QVERIFY(!small_result.has_value());
    QVERIFY(small_result.error().what.find("9999 x 9999") != std::string::npos);
    const auto gif = text_bytes(std::string_view("GIF89a\xFF\xFF\xFF\xFF\x00\x00\x00\x2C", 14));
    QVERIFY(!decode(gif).has_value());
    QVERIFY(peak_memory_kib() > 0 && peak_memory_kib() < 200 * 1024);
  }

  void png_of_every_depth() {
    const auto deep =
        decode(bytes_of("89504e470d0a1a0a0000000d494844520000000600000001100000000088325c6f000000154944415478da63606060"
                        "f8cfc8c0c8d8c0f0ff3f"
                        "000e1403818d7dee050000000049454e44ae426082"));
    QVERIFY(deep.has_value());
    QCOMPARE(grey_values(deep->image), (std::vector<int>{0, 0, 1, 1, 128, 255}));
    const auto one_bit = decode(bytes_of(
        "89504e470d0a1a0a0000000d4948445200000008000000010100000000cb7bd2ee0000000a4944415478da63580a0000a700a648"
        "31bf6f0000000049454e44ae426082"));
    QVERIFY(one_bit.has_value());
    QCOMPARE(grey_values(one_bit->image), (std::vector<int>{255, 0, 255, 0, 0, 255, 0, 255}));
    // The same with depth 2, four pixels wide: 1B = 00 01 10 11.
    std::vector<std::byte> two_bit =
        bytes_of("89504e470d0a1a0a0000000d49484452000000040000000102000000000000000000000000");
    two_bit.resize(33);
    const std::uint32_t header_crc = crc32({two_bit.begin() + 12, two_bit.begin() + 29});
    for (std::size_t i = 0; i < 4; ++i) two_bit[29 + i] = static_cast<std::byte>(header_crc >> (24 - 8 * i) & 0xFF);
    // zlib: one stored block of two bytes, 00 (filter) and 1B; Adler-32 of these is 001D001C.
    std::vector<std::byte> data = text_bytes("IDAT");
    for (const auto& part : bytes_of("7801010200fdff001b001d001c")) data.push_back(part);
    append_big32(two_bit, static_cast<std::uint32_t>(data.size() - 4));
    two_bit.insert(two_bit.end(), data.begin(), data.end());
    append_big32(two_bit, crc32(data));
    for (const auto& part : bytes_of("0000000049454e44ae426082")) two_bit.push_back(part);
    const auto two = decode(two_bit);
    QVERIFY2(two.has_value(), two ? "" : two.error().message().c_str());
    QCOMPARE(grey_values(two->image), (std::vector<int>{0, 85, 170, 255}));
    const auto grey_alpha = decode(bytes_of(test::kGreyAlphaPng));
    QVERIFY(grey_alpha.has_value());
    QCOMPARE(grey_values(grey_alpha->image), (std::vector<int>{100, 255}));
  }

  void orientation_data() {
    QTest::addColumn<int>("tag");
    QTest::addColumn<std::vector<int>>("order");
    const std::vector<int> upright = {0, 1, 2, 3, 4, 5};
    QTest::newRow("0") << 0 << upright;
    QTest::newRow("1") << 1 << upright;
    QTest::newRow("2") << 2 << std::vector<int>{2, 1, 0, 5, 4, 3};
    QTest::newRow("3") << 3 << std::vector<int>{5, 4, 3, 2, 1, 0};
    QTest::newRow("4") << 4 << std::vector<int>{3, 4, 5, 0, 1, 2};
    QTest::newRow("5") << 5 << std::vector<int>{0, 3, 1, 4, 2, 5};
    QTest::newRow("6") << 6 << std::vector<int>{3, 0, 4, 1, 5, 2};
    QTest::newRow("7") << 7 << std::vector<int>{5, 2, 4, 1, 3, 0};
    QTest::newRow("8") << 8 << std::vector<int>{2, 5, 1, 4, 0, 3};
    QTest::newRow("9") << 9 << upright;
  }

  void orientation() {
    QFETCH(int, tag);
    QFETCH(std::vector<int>, order);
    std::vector<int> expected;
    for (const int i : order) expected.push_back(kGreys[static_cast<std::size_t>(i)]);
    const bool sideways = tag >= 5 && tag <= 8;
    for (const bool little : {false, true}) {
      const auto block = exif_block(tag, little);
      const std::vector<std::pair<std::vector<std::byte>, int>> pictures = {
          {with_exif(bytes_of(test::kJpegWithExif), block), 2},
          {png_with_exif(bytes_of(test::kPngPlain), block), 0},
          {with_exif(bytes_of(test::kWebpWithExif), block), 0}};
      for (const auto& [bytes, tolerance] : pictures) {
        const auto picture = decode(bytes);
        QVERIFY2(picture.has_value(), picture ? "" : picture.error().message().c_str());
        QCOMPARE(picture->warning, std::string());
        QCOMPARE(picture->image.width, sideways ? 2 : 3);
        QCOMPARE(picture->image.height, sideways ? 3 : 2);
        QVERIFY(near(grey_values(picture->image), expected, tolerance));
        const auto header = decode(bytes, {.header_only = true});
        QVERIFY(header.has_value());
        QCOMPARE(header->image.width, picture->image.width);
        QCOMPARE(header->image.height, picture->image.height);
      }
    }
  }

  void broken_exif_leaves_the_picture_upright() {
    auto block = exif_block(6, false);
    for (const char* header : {"XX\0*", "MM\0*"}) {
      std::memcpy(block.data(), header, 4);
      if (header[0] == 'M') block[4] = std::byte{0x7F};  // the directory lies outside the block
      const auto picture = decode(with_exif(bytes_of(test::kJpegWithExif), block));
      QVERIFY(picture.has_value());
      QCOMPARE(picture->image.width, 3);
      QCOMPARE(picture->warning, std::string("broken EXIF data are ignored"));
    }
    auto doubled = text_bytes(std::string_view("Exif\0\0Exif\0\0", 12));
    const auto real = exif_block(6, false);
    doubled.insert(doubled.end(), real.begin(), real.end());
    QCOMPARE(read_orientation(doubled).value, 6);
    for (std::size_t length = 0; length < real.size(); ++length) {
      QCOMPARE(read_orientation(std::span(real).first(length)).value, length >= 22 ? 6 : 1);
    }
  }

  void colour_spaces_of_jpeg() {
    for (const auto& bytes : {bytes_of(test::kCmykJpeg), without_app14(bytes_of(test::kCmykJpeg))}) {
      const auto red = decode(bytes);
      QVERIFY(red.has_value());
      for (std::size_t i = 0; i < red->image.rgb.size(); ++i) {
        QVERIFY(std::abs(red->image.rgb[i] - (i % 3 == 0 ? 255 : 0)) <= 2);
      }
    }
    QVERIFY(without_app14(bytes_of(test::kCmykJpeg)).size() < bytes_of(test::kCmykJpeg).size());
    for (const auto& bytes : {bytes_of(test::kRgbIdsJpeg), without_app14(bytes_of(test::kRgbIdsJpeg))}) {
      const auto picture = decode(bytes);
      QVERIFY(picture.has_value());
      const std::array<int, 3> expected = {200, 40, 90};
      for (std::size_t i = 0; i < picture->image.rgb.size(); ++i) {
        QVERIFY(std::abs(picture->image.rgb[i] - expected[i % 3]) <= 2);
      }
    }
    const auto grey = decode(bytes_of(test::kGreyJpeg));
    QVERIFY(grey.has_value());
    QCOMPARE(grey_values(grey->image), std::vector<int>(64, 77));
  }

  void transparency_lies_over_white() {
    const auto palette =
        decode(bytes_of("89504e470d0a1a0a0000000d4948445200000002000000010803000000c3fc8fb800000006504c54450a141ec86432"
                        "77a0b39c000000027452"
                        "4e5300809b2b4e180000000b4944415478da6360600400000400022cde48ad0000000049454e44ae426082"));
    const std::vector<std::uint8_t> expected = {255, 255, 255, 227, 177, 152};
    QVERIFY(palette.has_value());
    QCOMPARE(palette->image.rgb, expected);
    const auto webp = decode(bytes_of(test::kAlphaWebp));
    QVERIFY(webp.has_value());
    QCOMPARE(webp->image.rgb, expected);
    const auto animated = decode(bytes_of(test::kAnimatedWebp));
    QVERIFY2(animated.has_value(), animated ? "" : animated.error().message().c_str());
    QCOMPARE(animated->image.rgb, expected);
    const auto gif = decode(bytes_of(test::kPartialGif));
    QVERIFY2(gif.has_value(), gif ? "" : gif.error().message().c_str());
    QCOMPARE(gif->image.width, 4);
    QCOMPARE(gif->image.height, 3);
    for (int y = 0; y < 3; ++y) {
      for (int x = 0; x < 4; ++x) {
        const bool is_red = (x == 1 && (y == 1 || y == 2)) || (x == 2 && y == 2);
        const std::uint8_t* pixel = gif->image.row(y) + 3 * x;
        QCOMPARE(pixel[0], std::uint8_t{255});
        QCOMPARE(pixel[1], is_red ? std::uint8_t{0} : std::uint8_t{255});
        QCOMPARE(pixel[2], is_red ? std::uint8_t{0} : std::uint8_t{255});
      }
    }
  }

  void tiff_and_bmp() {
    for (const std::string_view hex : {test::kTiff, test::kBmp24, test::kBmp8}) {
      const auto picture = decode(bytes_of(hex));
      QVERIFY2(picture.has_value(), picture ? "" : picture.error().message().c_str());
      QCOMPARE(picture->image.width, 3);
      QCOMPARE(grey_values(picture->image), kGreys);
    }
    const auto turned = decode(bytes_of(test::kTiffTurned));
    QVERIFY(turned.has_value());
    QCOMPARE(turned->image.width, 2);
    QCOMPARE(grey_values(turned->image), (std::vector<int>{150, 0, 200, 50, 250, 100}));
    QCOMPARE(decode(bytes_of(test::kTiffTurned), {.header_only = true})->image.height, 3);
    const auto bits = decode(bytes_of(test::kBmp1));
    QVERIFY(bits.has_value());
    QCOMPARE(grey_values(bits->image), (std::vector<int>{255, 0, 255, 0, 0, 255, 0, 255, 255}));
  }

  void jpeg_is_scaled_by_halves_down_to_the_wanted_side() {
    const auto bytes = encode_jpeg(models::filled_image(400, 320, 10, 200, 90), 95);
    QVERIFY(bytes.has_value());
    const auto encoded = text_bytes(*bytes);
    const std::vector<std::pair<int, int>> heights = {{0, 320},   {320, 320}, {161, 320}, {160, 160},
                                                      {100, 160}, {80, 80},   {1, 40}};
    for (const auto& [wanted, height] : heights) {
      const auto picture = decode(encoded, {.smallest_side = wanted});
      QVERIFY(picture.has_value());
      QCOMPARE(picture->image.height, height);
      QCOMPARE(picture->image.width, height * 5 / 4);
      QVERIFY(std::abs(picture->image.rgb[0] - 10) <= 3 && std::abs(picture->image.rgb[1] - 200) <= 3);
    }
  }

  void damaged_files_say_what_is_wrong() {
    const auto message = [](const std::vector<std::byte>& bytes) {
      const auto result = decode(bytes);
      return result ? std::string("decoded") : result.error().message();
    };
    QCOMPARE(message({}), std::string("the file is empty. Copy or download it again"));
    QVERIFY(message(text_bytes("<!DOCTYPE html><html><body>404</body></html>")).find("web page") != std::string::npos);
    QVERIFY(message(text_bytes("<?xml version='1.0'?>\n<svg xmlns='x'/>")).find("SVG") != std::string::npos);
    QVERIFY(message(text_bytes("hello")).find("not a picture") != std::string::npos);

    models::Image noise = models::filled_image(128, 128, 0, 0, 0);
    for (std::size_t i = 0; i < noise.rgb.size(); ++i) noise.rgb[i] = static_cast<std::uint8_t>(i * 2654435761U >> 24);
    const auto jpeg = text_bytes(*encode_jpeg(noise));
    QVERIFY(message({jpeg.begin(), jpeg.begin() + static_cast<std::ptrdiff_t>(jpeg.size() / 2)}).find("cut off") !=
            std::string::npos);
    auto png = text_bytes(*encode_png(noise));
    QVERIFY(decode(png).has_value());
    QVERIFY(decode(png)->image == noise);
    QVERIFY(message({png.begin(), png.begin() + static_cast<std::ptrdiff_t>(png.size() / 2)}).find("cut off") !=
            std::string::npos);
    png[png.size() / 2] ^= std::byte{0x40};
    QVERIFY(message(png).find("PNG data are damaged") != std::string::npos);
  }

  // No prefix and no flipped byte of any type may crash or hang; run under the sanitizers too.
  void mangled_files_never_crash() {
    for (const std::string_view hex :
         {test::kJpegWithExif, test::kWebpWithExif, test::kPngPlain, test::kCmykJpeg, test::kPartialGif,
          test::kAnimatedWebp, test::kTiff, test::kBmp24, test::kBmp1}) {
      const auto bytes = bytes_of(hex);
      int decoded = 0;
      for (std::size_t i = 0; i < bytes.size(); ++i) {
        (void)decode(std::span(bytes).first(i), {.largest_pixels = 1'000'000});
        for (const int flip : {0x01, 0x80, 0xFF}) {
          auto mangled = bytes;
          mangled[i] ^= static_cast<std::byte>(flip);
          const auto result = decode(mangled, {.largest_pixels = 1'000'000});
          if (!result) continue;
          ++decoded;
          QCOMPARE(result->image.rgb.size(), result->image.stride() * static_cast<std::size_t>(result->image.height));
        }
      }
      QVERIFY(decoded > 0);
    }
  }
};

}  // namespace
}  // namespace disco::data

QTEST_GUILESS_MAIN(disco::data::DecodeTest)
#include "decode_test.moc"
