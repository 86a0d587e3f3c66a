#include "common/picture.h"
#include "contract.h"
#include "corpus.h"

#include <cctype>
#include <map>

using namespace exercise;

constexpr std::size_t C = 16, steps = 1500, batch = 109;
constexpr float spread = 0.2F, rate = 1;

constexpr const char* other = "(other)"; ///< stands for all words that are rare in a text of the user's

/// What is shown of a text: some of its words, with a class where it is known.
struct Lesson {
    corpus::Tokens text;
    std::vector<std::size_t> words;
    picture::Labels names;
    picture::Labels grouped; ///< "animal:cat"

    void show(const std::string& word, const std::string& group) {
        words.push_back(text.find(word));
        names.push_back(word);
        grouped.push_back(group.empty() ? word : group + ":" + word);
    }
};

Lesson own_lesson() {
    Lesson lesson{corpus::tokens_of(corpus::sentences), {}, {}, {}};
    for (const corpus::Class& each : corpus::classes)
        for (const std::string& word : corpus::words_of(each.words))
            lesson.show(word, std::string(each.name));
    return lesson;
}

/// Any bytes as words of letters and digits; sentences end with ".".
std::vector<std::string> words_of_anything(const std::string& bytes) {
    constexpr std::size_t max_words = 20'000, max_bytes = 24;
    std::string plain;
    for (const char byte : bytes) {
        const auto code = static_cast<unsigned char>(byte);
        if (std::isalnum(code) || code >= 0x80 || byte == '\'')
            plain += static_cast<char>(std::tolower(code));
        else
            plain += byte == '.' || byte == '!' || byte == '?' ? " . " : " ";
    }
    std::vector<std::string> words = corpus::words_of(plain);
    std::erase_if(words, [](const std::string& word) { return word.size() > max_bytes; });
    words.resize(std::min(words.size(), max_words));
    return words;
}

Lesson lesson_of(const std::string& bytes) {
    constexpr std::size_t known = 200, shown = 60;
    const std::vector<std::string> words = words_of_anything(bytes);
    std::map<std::string, std::size_t> counts;
    for (const std::string& word : words)
        ++counts[word];
    std::vector<std::pair<std::size_t, std::string>> frequent;
    for (const auto& [word, count] : counts)
        frequent.emplace_back(count, word);
    std::sort(frequent.rbegin(), frequent.rend());
    for (std::size_t i = known; i < frequent.size(); ++i)
        counts.erase(frequent[i].second);
    std::string joined;
    for (const std::string& word : words)
        joined += (counts.contains(word) ? word : other) + std::string(" ");
    Lesson lesson{corpus::tokens_of(joined), {}, {}, {}};
    for (std::size_t i = 0; i < frequent.size() && lesson.words.size() < shown; ++i)
        if (frequent[i].second != ".") lesson.show(frequent[i].second, "");
    return lesson;
}

/// The caller's two parameters.
struct Model {
    std::size_t V;
    std::vector<float> wte_numbers = std::vector<float>(V * C);
    std::vector<float> mix_numbers = std::vector<float>(C * C);

    Matrix<float> wte() { return {wte_numbers.data(), V, C}; }
    Matrix<float> mix() { return {mix_numbers.data(), C, C}; }

    double loss(const corpus::Tokens& text) {
        const Loss loss = evaluate(wte(), mix(), text.ids, text.targets, corpus::ignored);
        picture::need(loss.status);
        return loss.mean;
    }
    std::vector<float> rows(const std::vector<std::size_t>& words) {
        std::vector<float> all;
        for (const std::size_t word : words)
            all.insert(all.end(), wte().row(word), wte().row(word) + C);
        return all;
    }
};

/// The mean loss of every six steps: once through the course's own text.
std::vector<float> train(Model& model, const corpus::Tokens& text) {
    constexpr std::size_t together = 6;
    std::vector<float> losses;
    double sum = 0;
    const std::size_t size = std::min(batch, text.ids.size()), batches = text.ids.size() / size;
    for (std::size_t s = 0; s < steps; ++s) {
        const std::size_t first = s % batches * size;
        const Loss loss = step(model.wte(), model.mix(), Ids(text.ids).subspan(first, size),
                               Ids(text.targets).subspan(first, size), corpus::ignored, rate);
        picture::need(loss.status);
        sum += loss.mean;
        if (s % together == together - 1) losses.push_back(static_cast<float>(sum / together)), sum = 0;
        if (s % 25 == 0) picture::progress(s, steps, "training: loss " + std::to_string(loss.mean));
    }
    return losses;
}

int main() {
    return picture::scene("From random rows to a map of words", [] {
        const std::string given = picture::given_text();
        const Lesson lesson = given.empty() ? own_lesson() : lesson_of(given);
        const std::size_t count = lesson.words.size();
        if (count < 2) return picture::line("remark", "The text has fewer than two words to learn from.");

        Model model{lesson.text.vocabulary.size()};
        picture::need(initialise(7, spread, model.wte(), model.mix()));
        std::vector<float> before = model.rows(lesson.words);
        const double first = model.loss(lesson.text);
        std::vector<float> losses = train(model, lesson.text);
        std::vector<float> after = model.rows(lesson.words);

        char says[200];
        std::snprintf(says, sizeof says,
                      "Before the first step the loss of the whole text was %.3f (ln %zu is %.3f); "
                      "after %zu steps it is %.3f.",
                      first, model.V, std::log(static_cast<double>(model.V)), steps, model.loss(lesson.text));
        picture::figure("The loss, a mean of six steps each", says);
        picture::lines("loss", Matrix<float>(losses.data(), 1, losses.size()), {"loss"});
        picture::figure("Words before the first step", "Random rows: none has a place of its own.");
        picture::map("before", Matrix<float>(before.data(), count, C), lesson.grouped);
        picture::figure("The same words after training",
                        "Words that stand in the same places of the text lie in the same place here.");
        picture::map("after", Matrix<float>(after.data(), count, C), lesson.grouped);
        picture::figure("Nearest words", "Of those on the map, by the cosine.");
        picture::neighbours("neighbours", Matrix<float>(after.data(), count, C), lesson.names);

        std::vector<float> alike(count * count), all(model.V);
        for (std::size_t r = 0; r < count; ++r) {
            picture::need(cosines(model.wte(), static_cast<TokenId>(lesson.words[r]), all));
            for (std::size_t c = 0; c < count; ++c)
                alike[r * count + c] = all[lesson.words[c]];
        }
        picture::figure("Cosines of your function", "A class is a block of words that are alike.");
        picture::axes("words", "the same words");
        picture::heat("cosines", Matrix<float>(alike.data(), count, count), lesson.names);
    });
}
